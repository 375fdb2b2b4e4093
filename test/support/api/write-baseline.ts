import { readFile, writeFile } from 'node:fs/promises'
import { buildDocument } from '#server/fronts/rest/document.ts'
import type { ApiDocument } from '#server/fronts/rest/document-types.ts'
import { breakingChanges } from './additive.ts'

// `npm run baseline`, at a release: from now on the document must keep everything it contains now. With `-- --anew` the
// earlier baseline is dropped too, which is only for versions that are not published yet.

const FILE = new URL('../../server/fronts/rest/v1.baseline.json', import.meta.url)

const document = buildDocument()
if (!process.argv.includes('--anew')) {
  const found = breakingChanges(JSON.parse(await readFile(FILE, 'utf8')) as ApiDocument, document)
  if (found.length > 0) {
    console.error(`These changes are not additive:\n${found.join('\n')}`)
    process.exit(1)
  }
}
// Descriptions and examples may change freely, and would be most of the file.
const withoutWords = (key: string, value: unknown) =>
  ((key === 'description' || key === 'summary') && typeof value === 'string') || key === 'example' || key === 'examples'
    ? undefined
    : value
await writeFile(FILE, `${JSON.stringify(document, withoutWords, 1)}\n`)
