/** Where in a value something stands; written out only when it has to be told. */
export type Path = { parent: Path; step: string | number } | null

/** `.user.tags[0]`, with quotes where a key is no name: `.["a b"]`. The value itself is `.`. */
export function writePath(path: Path): string {
  let text = ''
  for (let at = path; at !== null; at = at.parent) {
    const { step } = at
    if (typeof step === 'number') text = `[${step}]${text}`
    else if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(step)) text = `.${step}${text}`
    else text = `[${JSON.stringify(step)}]${text}`
  }
  return text.startsWith('.') ? text : `.${text}`
}
