import { redirect } from 'next/navigation'
import { findCurrentMember, signInOrSetupPath } from './current-member.ts'

export default async function Start() {
  redirect((await findCurrentMember()) ? '/workspaces' : await signInOrSetupPath())
}
