'use client'

import { Button, Group, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { resultIdIn } from './result-id-in.ts'

/** Opens the comparison with another result, given by its id or its link. */
export function OtherResultForm({ hrefTo }: { hrefTo: (resultId: string) => string }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const id = resultIdIn(text)
        setError(id ? null : 'Enter the id or the link of a result.')
        if (id) router.push(hrefTo(id), { scroll: false })
      }}
    >
      <Group align="flex-end" gap="xs">
        <TextInput
          size="xs"
          flex={1}
          miw={200}
          label="Compare with another result"
          placeholder="Result id or link"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={error}
        />
        <Button type="submit" size="xs" variant="default">
          Compare
        </Button>
      </Group>
    </form>
  )
}
