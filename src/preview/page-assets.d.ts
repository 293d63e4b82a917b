/** Made by the build: see scripts/page-plugin.js. */
declare module "plancast:page" {
  export const script: string;
  export const style: string;
}
