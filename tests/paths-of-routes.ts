/** The addresses of a file's routes: one, or those for whose last parts it has a handler each (`byName`). */
export function pathsOf(folder: string, text: string): string[] {
  const [handlers, ...others] = [...text.matchAll(/byName\(\{([^}]*)\}\)/g)].map(([, one]) => one)
  if (others.length) throw new Error(`${folder} has more than one byName`)
  if (handlers === undefined) return [folder]
  const names = handlers.matchAll(/(?:^|[,\n]) *"?([\w.-]+)"?(?=[:,]| *$)/g)
  return [...names].map(([, name = ""]) => folder.replace(/\[\w+\]$/, name))
}
