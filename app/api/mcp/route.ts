import { mcp } from '../route-handlers.ts'

// As for the public API: our own HTTP server handles this path before Next.

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = mcp
