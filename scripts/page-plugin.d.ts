import type { Plugin } from "rolldown";

export function pagePlugin(): Plugin;
