import type { Plugin } from "rolldown";

export function codecsPlugin(): Plugin;
