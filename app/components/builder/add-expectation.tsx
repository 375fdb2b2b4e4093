import { Button, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { assertionOf, EXPECTATIONS, type ExpectationKind } from '#server/language/builder/expectation-kinds.ts'
import type { Assertion } from '#server/language/builder/steps.ts'

/** Writes one expectation by its kind. */
export function AddExpectation({ onAdd, onClose }: { onAdd: (assertion: Assertion) => void; onClose: () => void }) {
  const [kind, setKind] = useState<ExpectationKind>('status')
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { nameLabel, valueLabel, placeholder } = EXPECTATIONS[kind]
  const add = () => {
    const made = assertionOf(kind, name.trim(), value.trim())
    if (typeof made === 'string') setProblem(made)
    else onAdd(made)
  }
  const addOnEnter = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Expect"
        data={Object.entries(EXPECTATIONS).map(([kind, { label }]) => ({ value: kind, label }))}
        value={kind}
        allowDeselect={false}
        w={180}
        onChange={(next) => {
          if (next) setKind(next as ExpectationKind)
          setProblem(null)
        }}
      />
      {nameLabel && (
        <TextInput
          label={nameLabel}
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={addOnEnter}
        />
      )}
      <TextInput
        label={valueLabel}
        placeholder={placeholder}
        value={value}
        autoComplete="off"
        error={problem}
        flex={1}
        miw={160}
        onChange={(event) => {
          setValue(event.currentTarget.value)
          setProblem(null)
        }}
        onKeyDown={addOnEnter}
      />
      <Button variant="default" onClick={add}>
        Add
      </Button>
      <Button variant="subtle" onClick={onClose}>
        Cancel
      </Button>
    </Group>
  )
}
