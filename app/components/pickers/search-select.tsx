import { Select, type SelectProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/** An option that the server found. `detail` tells it from others of the same name. */
export type Found = { value: string; label: string; detail?: string | null; group?: string; disabled?: boolean }

/** Reads what matches a text; undefined while it loads. Nothing is read before the list is opened. */
export type UseFound = (q: string, isOpened: boolean) => Found[] | undefined

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'> & {
  useFound: UseFound
  /** Null also where a choice is taken at once and kept elsewhere. */
  value: Found | null
  onChange: (found: Found | null) => void
}

const TYPING_MS = 150

/** Picks one of any number of things: the server searches while the member types. */
export function SearchSelect({ useFound, value, onChange, ...select }: Props) {
  const [text, setText] = useState(value?.label ?? '')
  const [isOpened, setOpened] = useState(false)
  const [typed] = useDebouncedValue(text, TYPING_MS)
  // The name of what is chosen stands in the field and is no search.
  const found = useFound(typed === value?.label ? '' : typed, isOpened)
  const options = found ?? []
  const all = value && !options.some((option) => option.value === value.value) ? [value, ...options] : options
  return (
    <Select
      nothingFoundMessage={found === undefined ? 'Searching…' : 'Nothing found'}
      {...select}
      searchable
      data={grouped(all)}
      // The server has searched.
      filter={({ options }) => options}
      renderOption={({ option }) => <Option found={all.find(({ value }) => value === option.value)} />}
      value={value?.value ?? null}
      onChange={(next) => {
        const chosen = all.find((option) => option.value === next) ?? null
        if (value === null) setText('')
        onChange(chosen)
      }}
      searchValue={text}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
    />
  )
}

function Option({ found }: { found: Found | undefined }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">{found?.label}</Text>
      {found?.detail && (
        <Text size="xs" c="dimmed">
          {found.detail}
        </Text>
      )}
    </div>
  )
}

function grouped(options: Found[]): SelectProps['data'] {
  const items = options.map(({ value, label, disabled = false }) => ({ value, label, disabled }))
  const groups = [...new Set(options.map(({ group }) => group))]
  if (groups.every((group) => group === undefined)) return items
  return groups.map((group = '') => ({
    group,
    items: items.filter((_, index) => (options[index]?.group ?? '') === group),
  }))
}
