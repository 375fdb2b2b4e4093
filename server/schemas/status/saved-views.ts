import { z } from 'zod'
import { Id, LineOfText } from '../conventions.ts'

// The views of the board that a member has saved. Only the dashboard has these operations.

const VIEW_NAME_MAX = 64
const VIEW_QUERY_MAX = 2_000
/** The most views of a member in an organization. */
export const VIEWS_MAX = 50

const ViewName = LineOfText.min(1).max(VIEW_NAME_MAX)
/** The query of the board's address, without its question mark; empty for the whole board. */
const ViewQuery = z.string().max(VIEW_QUERY_MAX)

export const SavedView = z.object({ id: Id, name: z.string(), query: z.string() })
export type SavedView = z.output<typeof SavedView>

/** By name. */
export const SavedViews = z.object({ views: z.array(SavedView) })
export const SavedViewCreate = z.object({ name: ViewName, query: ViewQuery })
/** A field that is absent stays as it is. */
export const SavedViewChange = z.object({ id: Id, name: ViewName.optional(), query: ViewQuery.optional() })
