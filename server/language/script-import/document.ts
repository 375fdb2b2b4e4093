import { ImportError } from './request.ts'
import { checkSize, mergedKeys, readYaml, YamlError } from './yaml.ts'

/** YAML takes about a hundred times as long to read as JSON. Large descriptions of APIs have 10 MB. */
const YAML_MAX = 20_000_000

/**
 * Reads JSON or YAML, with bounds for depth and aliases. Returns undefined for a text that is neither. Merge keys of YAML
 * are resolved, as the programs do whose files are imported.
 * @throws ImportError beyond a bound
 */
export function readDocument(given: string, charactersMax = YAML_MAX): unknown {
  // A byte order mark, which JSON does not allow.
  const text = given.replace(/^\uFEFF/, '')
  try {
    if (!/^\s*[{[]/.test(text)) return mergedKeys(readYaml(text, Math.min(charactersMax, YAML_MAX)))
    const value: unknown = JSON.parse(text)
    checkSize(value, Number.POSITIVE_INFINITY)
    return value
  } catch (error) {
    if (error instanceof YamlError && error.isBound) throw new ImportError(`The document ${error.message}.`)
    return undefined
  }
}
