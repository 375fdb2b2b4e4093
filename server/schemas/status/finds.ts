import { z } from 'zod'
import { Id } from '../conventions.ts'
import { SEARCH_MAX } from './search-terms.ts'
import { ServiceState } from './state-schemas.ts'

// The results of the command palette while a member types. Only the dashboard has this operation.

/** Entries of each kind. */
export const FOUND_SERVICES = 8
export const FOUND_CONTAINERS = 4

/** `q` is written as in `search-terms.ts`; without words and terms, the services that need attention come first. */
export const FindQuery = z.object({ q: z.string().normalize('NFC').max(SEARCH_MAX).default('') })

export const FoundService = z.object({
  id: Id,
  name: z.string(),
  state: ServiceState,
  projectName: z.string(),
  workspaceName: z.string(),
})

/** The best matches first. */
export const Finds = z.object({
  services: z.array(FoundService),
  projects: z.array(z.object({ id: Id, name: z.string(), workspaceName: z.string() })),
  workspaces: z.array(z.object({ id: Id, name: z.string() })),
  /** The parts of the search that could not be understood, in words. */
  problems: z.array(z.string()),
})
export type Finds = z.output<typeof Finds>
