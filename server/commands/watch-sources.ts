import { watch } from 'node:fs'
import { join } from 'node:path'

/** An editor that saves, and a checkout, change several files one after the other. */
const QUIET_MS = 200

/**
 * Calls `onChange` with a changed file when sources in these folders have not changed for 200 ms. Only files that a
 * process loads count. Returns a function that ends it.
 */
export function watchSources(root: string, folders: string[], onChange: (file: string) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, file) => {
      if (!file || !/\.(ts|[cm]js|json)$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(onChange, QUIET_MS, join(folder, file))
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
