/** Styles are bundled by `server.ts`. */
declare module "*.css"
