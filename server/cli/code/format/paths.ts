/** Windows cannot have files of these names. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/
const LENGTH_MAX = 60

/**
 * Returns file names for names, each once and in the order given: `Login page` becomes `login-page`. Letters of all
 * scripts stay; a name that is taken gets a number.
 */
export function fileNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(taken)
  return names.map((name) => {
    const base = fileName(name)
    let free = base
    for (let n = 2; used.has(free); n++) free = `${base}-${n}`
    used.add(free)
    return free
  })
}

function fileName(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  const short = [...words.replaceAll(/^-+|-+$/g, '')].slice(0, LENGTH_MAX).join('')
  if (short === '') return 'unnamed'
  return RESERVED.test(short) ? `${short}-1` : short
}

/** Orders texts by their code units, which is the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
