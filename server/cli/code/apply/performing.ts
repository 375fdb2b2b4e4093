import type { ApiClient } from '../../client/create-client.ts'
import { type Change, type Path, pathKey, pathText } from '../plan/changes.ts'

/** What the steps of one `apply` share. */
export type Performing = {
  client: ApiClient
  /** By path; what is created is added. */
  ids: Map<string, string>
  values: Map<Change, string>
}

/** @throws Error for a resource that no earlier step created */
export function idOf({ ids }: Performing, path: Path): string {
  const id = ids.get(pathKey(path))
  if (id === undefined) throw new Error(`no id of ${pathText(path)}`)
  return id
}
