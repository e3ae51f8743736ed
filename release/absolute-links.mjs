/**
 * A page in the repository names files beside it; on a registry's page, and for what is not packed, these links lead nowhere. A packed
 * page names them in the repository, at the tag of its version.
 *
 * @param {string} markdown
 * @param {{ version: string, repository?: string | { url: string } }} manifest without a repository, the links stay as they are
 * @param {string} folder the page's folder in the repository
 */
export function withAbsoluteLinks(markdown, { version, repository }, folder = ".") {
  const url = typeof repository === "string" ? repository : repository?.url
  if (!url) return markdown
  const home = url
    .replace(/^git\+/, "")
    .replace(/^(github|gitlab):/, "https://$1.com/")
    .replace(/\.git$/, "")
  return markdown.replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, path) => {
    const kind = /\.(png|svg)$/.test(path) ? "raw" : "blob"
    const inRepository = new URL(path, `file:///${folder === "." ? "" : `${folder}/`}`)
    return `](${home}/${kind}/v${version}${inRepository.pathname}${inRepository.hash})`
  })
}
