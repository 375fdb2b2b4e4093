import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '#server/process/program.ts'

// `npm run licenses`: every package that `npm ci` may install, with its licence, as the lock file names them.

export type LicensedPackage = {
  name: string
  version: string
  /** An SPDX expression; `unknown` where the package states none. */
  license: string
  /** Installed for development alone. */
  isDev: boolean
}

type LockEntry = { version?: string; license?: string; dev?: boolean; link?: boolean }

/** Returns the packages of the lock file, sorted by name; a package in several versions comes once per version. */
export function readLicenses(): LicensedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const found = Object.entries(packages as Record<string, LockEntry>).flatMap(([path, entry]) => {
    if (path === '' || entry.link) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version = '', license = 'unknown', dev = false } = entry
    return [{ name, version, license, isDev: dev }]
  })
  const unique = new Map(found.map((one) => [`${one.name}@${one.version}`, one]))
  return [...unique.values()].sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const licenses = Map.groupBy(readLicenses(), ({ license }) => license)
  for (const [license, packages] of [...licenses].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`\n${license} (${packages.length})`)
    for (const { name, version, isDev } of packages) {
      console.log(`  ${name} ${version}${isDev ? ' (development)' : ''}`)
    }
  }
}
