import { z } from 'zod'
import { PageQuery } from '../conventions.ts'

/** What a picker or a list of the dashboard searches. Every word must occur. */
export const SearchText = z.string().normalize('NFC').max(200)

/** A page of what a text finds; of everything without one. */
export const SearchedPage = PageQuery.extend({ q: SearchText.optional() })
