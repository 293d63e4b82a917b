import { MemoryStore } from "../../../src/embedded/store/memory-store.ts";
import { testStore } from "./contract.ts";

testStore("memory", () => {
  const store = new MemoryStore();
  return Promise.resolve({ store, close: () => store.close() });
});
