import { endRoute } from "../../problem-route"

/** Takes the order that a killed completion left for its cart's order. */
export const POST = endRoute("link_order")
