import type { Metadata } from 'next'
import { ConfirmEmail } from './confirm-email.tsx'

export const metadata: Metadata = { title: 'Confirm address' }

export default function ConfirmEmailPage() {
  return <ConfirmEmail />
}
