import { fileURLToPath } from 'node:url'

/** The folder of the program, with its `package.json`. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
