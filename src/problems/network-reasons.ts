/** Why a request failed, by the code of Node or undici: a clause for a message. */
export const NETWORK_REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "nothing listens at that address"],
  ["ENOTFOUND", "there is no such host"],
  ["EAI_AGAIN", "the host's name cannot be looked up now"],
  ["ECONNRESET", "the connection was reset"],
  ["EPIPE", "the connection was closed"],
  ["UND_ERR_SOCKET", "the connection was closed"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "no answer in time"],
  ["UND_ERR_BODY_TIMEOUT", "the answer stopped in the middle"],
  ["HEAD_TOO_SLOW", "no answer in time"],
  ["BODY_TOO_SLOW", "the answer came too slowly"],
  ["BODY_TOO_LARGE", "the answer is far too large"],
  ["PROXY_TUNNEL", "the proxy opens no tunnel"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "the answer is cut off"],
]);
