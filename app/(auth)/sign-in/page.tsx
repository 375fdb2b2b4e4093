import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { pathWithin } from '../../client/path-within.ts'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { entrance, findMe } from '../../visitor.ts'
import { SignInForm } from './sign-in-form.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function SignInPage({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const next = pathWithin((await searchParams).next)
  if (await findMe()) redirect(next)
  const there = await entrance()
  if (there === '/setup') redirect(there)
  return (
    <AuthCard title="Sign in" intro="Welcome back.">
      <SignInForm next={next} />
    </AuthCard>
  )
}
