import { api } from '../../route-handlers.ts'

// Our own HTTP server handles these paths before Next. This route serves them if Next is hosted without it.

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = api
