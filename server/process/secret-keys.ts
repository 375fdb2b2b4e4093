import { readDataFile } from './data-folder.ts'
import { parseSettings, type Settings } from './settings.ts'

/** Returns `SECRET_KEYS`, or the keys that `npm start` stored for its embedded database; undefined without either. */
export function findSecretKeys(settings: Settings): Settings['SECRET_KEYS'] {
  if (settings.SECRET_KEYS || settings.DATABASE_URL) return settings.SECRET_KEYS
  return parseSettings({ SECRET_KEYS: readDataFile(settings.DATA_DIR, 'secret-keys') ?? '' }).SECRET_KEYS
}
