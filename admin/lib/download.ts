import { fetchFile } from "./sdk"

/** A completely downloaded file. */
interface DownloadedFile {
  name: string
  blob: Blob
}

/** A download broke off in the middle. */
export class BrokenDownload extends Error {}

/**
 * Downloads a file of the plugin's routes and reports the number of bytes so far.
 *
 * @throws BrokenDownload; `AbortError` once `signal` has aborted; before the first byte, the error that the server answered
 */
export async function download(
  path: string,
  query: object,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void }
): Promise<DownloadedFile> {
  const response = await fetchFile(path, query, signal)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    const reader = response.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      parts.push(part.value)
      onProgress((bytes += part.value.length))
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new BrokenDownload("The download broke off")
  }
  const type = response.headers.get("content-type") ?? ""
  return { name: nameIn(response) ?? path.replace(/^.*\//, ""), blob: new Blob(parts, { type }) }
}

/** Saves a file through the browser. */
export function save({ name, blob }: DownloadedFile): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser begins to read it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function nameIn(response: Response): string | null {
  const header = response.headers.get("content-disposition") ?? ""
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1]
  return encoded ? decodeURIComponent(encoded) : null
}
