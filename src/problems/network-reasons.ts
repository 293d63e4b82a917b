/** Why a request failed, by the code of Node or undici: a clause for a message. */
export const NETWORK_REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "no program listens at that address"],
  ["ENOTFOUND", "this host does not exist"],
  ["EAI_AGAIN", "the name of the host cannot be looked up now"],
  ["ECONNRESET", "the connection was reset"],
  ["EPIPE", "the connection was closed"],
  ["UND_ERR_SOCKET", "the connection was closed"],
  ["UND_ERR_CONNECT_TIMEOUT", "it did not connect in time"],
  ["UND_ERR_HEADERS_TIMEOUT", "it did not answer in time"],
  ["UND_ERR_BODY_TIMEOUT", "the answer stopped in the middle"],
  ["HEAD_TOO_SLOW", "it did not answer in time"],
  ["BODY_TOO_SLOW", "the answer came too slowly"],
  ["BODY_TOO_LARGE", "the answer is too large"],
  ["PROXY_TUNNEL", "the proxy did not open a tunnel"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "the answer is cut off"],
]);
