import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { localPath } from '../../client/session/local-path.ts'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { findCurrentMember, signInOrSetupPath } from '../../current-member.ts'
import { SignInForm } from './sign-in-form.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = localPath((await searchParams).next)
  if (await findCurrentMember()) redirect(next)
  if ((await signInOrSetupPath()) === '/setup') redirect('/setup')
  return (
    <AuthCard title="Sign in" intro="Welcome back.">
      <SignInForm next={next} />
    </AuthCard>
  )
}
