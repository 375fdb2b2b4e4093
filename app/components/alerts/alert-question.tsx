'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'

// Most visits come after the answer.
const AskedQuestion = dynamic(async () => (await import('./asked-question.tsx')).AskedQuestion)

/** Asks once per organization, after its first run that passed, where alerts should go. */
export function AlertQuestion() {
  const mayAnswer = hasPermission(useMe(), 'webhooks', 'write')
  const question = useQuery({ ...query('organization.alertQuestion.get'), enabled: mayAnswer })
  return mayAnswer && question.data?.isAsked && <AskedQuestion />
}
