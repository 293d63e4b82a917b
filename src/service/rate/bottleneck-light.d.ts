/** The build without Redis has no types, but is the same class. */
declare module "bottleneck/light.js" {
  import Bottleneck from "bottleneck";
  // oxlint-disable-next-line import/no-default-export
  export default Bottleneck;
}
