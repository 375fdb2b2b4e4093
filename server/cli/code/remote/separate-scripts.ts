import { posix } from 'node:path'
import type { DescribedService, Folder } from '../format/files.ts'
import { scriptPath } from '../format/write.ts'

/**
 * Returns the folder with one text for each file of a script. Services may share a file; one whose text has become another
 * gets a file of its own. The file stays with services that have not changed, and with those that are not exported.
 */
export function separateScripts(folder: Folder, before: Folder | null): Folder {
  const texts = new Map<string, string>()
  const exported = new Set(folder.projects.map(({ path }) => path))
  const earlier = new Map<string, string | null | undefined>()
  for (const { path, services } of before?.projects ?? []) {
    for (const service of services) {
      earlier.set(service.path, service.script)
      if (!exported.has(path)) claim(service, texts)
    }
  }
  const rank = ({ path, script }: DescribedService) => (earlier.get(path) === script ? 0 : earlier.has(path) ? 1 : 2)
  const services = folder.projects.flatMap((project) => project.services)
  const separate = new Map<string, DescribedService>()
  for (const service of services.toSorted((a, b) => rank(a) - rank(b))) {
    separate.set(service.path, claim(service, texts))
  }
  return {
    ...folder,
    projects: folder.projects.map((project) => ({
      ...project,
      services: project.services.map((service) => separate.get(service.path) as DescribedService),
    })),
  }
}

/** Returns the service with a file that no other text has. */
function claim(service: DescribedService, texts: Map<string, string>): DescribedService {
  const { path, file, script } = service
  if (!file.script || !script) return service
  const isFree = (name: string) => (texts.get(scriptPath(service, name)) ?? script) === script
  const stem = posix.basename(path).replace(/\.ya?ml$/, '')
  let name = file.script
  for (let n = 1; !isFree(name); n++) name = n === 1 ? `${stem}.lace` : `${stem}-${n}.lace`
  texts.set(scriptPath(service, name), script)
  return { ...service, file: { ...file, script: name } }
}
