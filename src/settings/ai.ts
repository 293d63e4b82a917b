/** `ai:` of plancast.yaml: the language model that writes drafts. Never holds a key. */

import { z } from "zod";
import { VARIABLE_NAME } from "./environment.ts";
import { durationSchema } from "./limits.ts";

/** @param does what the model does, as the start of a sentence */
function modelName(does: string) {
  return z
    .string()
    .max(200)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, "the name of a model, such as qwen3")
    .describe(`${does} Its name on the server, such as qwen3.`);
}

export const aiSchema = z.strictObject({
  // The code that opens the model checks the rest, because a fault there must not show the address.
  url: z
    .string()
    .regex(/^https?:\/\/[^?#@\s]+$/, "an address such as http://localhost:11434/v1")
    .describe(
      "Address of a server with the API of OpenAI, up to the part before `/chat/completions`, such as http://localhost:11434/v1. Plain http is allowed only for this machine.",
    ),
  model: modelName("Model that writes the texts."),
  vision_model: modelName("Model that reads pictures, for alt texts. Default: `model`.").optional(),
  image_model: modelName("Model that makes pictures. Without it, plancast makes none.").optional(),
  key_env: z
    .string()
    .regex(
      VARIABLE_NAME,
      "the name of an environment variable in capitals, such as OPENAI_API_KEY. If it is the key itself, remove it and make a new one",
    )
    .optional()
    .describe(
      "Name of the environment variable with the key of the server. Without it, plancast sends no key. plancast sends the key only to an address that you confirmed for this variable.",
    ),
  timeout: durationSchema
    .default("5m")
    .describe("How long plancast waits for an answer. A model on this machine may be slow."),
});

/** `ai:` of plancast.yaml. */
export type AiSettings = z.infer<typeof aiSchema>;
