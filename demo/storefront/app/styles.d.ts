/** Styles are bundled by `bundle.ts`. */
declare module "*.css"
