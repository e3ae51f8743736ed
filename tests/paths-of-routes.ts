/** The addresses of a file's routes: one, or those for whose last parts it has a handler each (`byName`). */
export function pathsOf(folder: string, text: string): string[] {
  const handlers = /byName\(\{([^}]*)\}\)/.exec(text)?.[1]
  if (handlers === undefined) return [folder]
  const names = handlers.matchAll(/(?:^|[,\n]) *"?([\w.-]+)"?(?=[:,]| *$)/g)
  return [...names].map(([, name = ""]) => folder.replace(/\[\w+\]$/, name))
}
