import { redirect } from 'next/navigation'
import { entrance, findMe } from './visitor.ts'

export default async function Start() {
  redirect((await findMe()) ? '/workspaces' : await entrance())
}
