import { dashboardApi } from '../route-handlers.ts'

export const runtime = 'nodejs'
export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = dashboardApi
