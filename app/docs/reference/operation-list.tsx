'use client'

import { Stack, Text, TextInput, Title } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Link } from '../../components/layout/link.tsx'
import type { OperationEntry, OperationGroup } from './document.ts'
import { MethodBadge } from './method-badge.tsx'
import styles from './reference.module.css'

/** The operations by tag, with a field that filters them. */
export function OperationList({ groups }: { groups: OperationGroup[] }) {
  const [filter, setFilter] = useState('')
  useOldAddresses()
  const words = filter.toLowerCase().split(/\s+/)
  const shown = groups
    .map((group) => ({ ...group, operations: group.operations.filter((entry) => hasWords(group.name, entry, words)) }))
    .filter(({ operations }) => operations.length > 0)
  return (
    <Stack gap="lg">
      <TextInput
        type="search"
        label="Filter operations"
        placeholder="Such as: post services"
        maw={420}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      {shown.map(({ name, description, operations }) => (
        <section key={name} aria-labelledby={`tag-${name}`}>
          <Title order={2} fz="lg" id={`tag-${name}`}>
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            {description}
          </Text>
          <Operations operations={operations} />
        </section>
      ))}
      {shown.length === 0 && <Text>No operation has these words.</Text>}
    </Stack>
  )
}

export function Operations({ operations }: { operations: OperationEntry[] }) {
  return (
    <ul className={styles.operations}>
      {operations.map(({ id, method, path, summary }) => (
        <li key={id}>
          <Link href={`/docs/operations/${id}`} className={styles.operation}>
            <MethodBadge method={method} />
            <code>{path}</code>
            <span>{summary}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

let isChecked = false

/** Earlier versions had operations at fragments such as `#/Services/createService`. Only the address first opened counts. */
function useOldAddresses() {
  const router = useRouter()
  useEffect(() => {
    if (isChecked) return
    isChecked = true
    const [, id] = /^#\/[^/]+\/(\w+)$/.exec(window.location.hash) ?? []
    if (id) router.replace(`/docs/operations/${id}`)
  }, [router])
}

function hasWords(tag: string, { id, method, path, summary }: OperationEntry, words: string[]): boolean {
  const text = `${tag} ${id} ${method} ${path} ${summary}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
