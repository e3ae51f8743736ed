import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef } from "react"

import { call } from "../../lib/sdk"

/** Saves a file of the plugin's routes, one at a time; a download ends with its page. Its answer is the file's name. */
export function useDownload() {
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  return useMutation({
    mutationFn: async ({ path, query }: { path: string; query: object }) => {
      const { signal } = (controller.current = new AbortController())
      // The query may have what was searched for, and addresses are logged.
      const file = { method: "POST", body: { ...query }, headers: { accept: "*/*" }, signal }
      const response = await call<Response>(path, file)
      const header = response.headers.get("content-disposition") ?? ""
      const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(header) ?? []
      const name = encoded ? decodeURIComponent(encoded) : path.replace(/^.*\//, "")
      save(name, await response.blob())
      return name
    },
  })
}

/** Saves a file through the browser. */
function save(name: string, blob: Blob): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser begins to read it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
