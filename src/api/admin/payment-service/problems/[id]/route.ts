import { problemRoute } from "../problem-route"

export const GET = problemRoute(() => Promise.resolve({}))
