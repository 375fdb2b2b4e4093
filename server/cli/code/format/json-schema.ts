import { z } from 'zod'
import { CodeFile } from './files.ts'

/** The name of the schema in an exported folder, and its path on an installation. */
export const SCHEMA_NAME = 'soundline.schema.json'

/** Returns the JSON Schema of all files of the format. An editor chooses the part for a file by its `kind`. */
export function schemaText(): string {
  const schema = {
    title: 'Soundline: monitoring as code',
    ...z.toJSONSchema(CodeFile, { io: 'input', target: 'draft-07' }),
  }
  return `${JSON.stringify(schema, null, 2)}\n`
}
