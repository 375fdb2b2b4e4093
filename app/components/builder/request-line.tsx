import { Button, Group, List, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isCurl, type Step } from '#server/language/builder/steps.ts'
import { Play } from '../icons.ts'

const METHODS = (['get', 'post', 'put', 'patch', 'delete'] as const).map((value) => ({
  value,
  label: value.toUpperCase(),
}))

/** Reads commands. Loaded with the first one. */
const loadReader = () => import('#server/language/builder/from-request.ts')

/** The method and the URL of a step. A curl command in the field of the URL fills in the whole step. */
export function RequestLine(props: {
  step: Step
  problem: string | null
  isFirst: boolean
  isTesting: boolean
  onChange: (step: Step) => void
  onTest: () => void
}) {
  const { step } = props
  const [pasted, setPasted] = useState<{ problem: string | null; notes: string[] }>({ problem: null, notes: [] })
  const change = (url: string) => {
    setPasted({ problem: null, notes: [] })
    props.onChange({ ...step, url })
  }
  const fillIn = async (command: string) => {
    const read = (await loadReader()).stepOfCurl(command)
    if ('problem' in read) {
      setPasted({ problem: read.problem, notes: [] })
      return
    }
    setPasted({ problem: null, notes: read.notes })
    const assertions = read.step.assertions.length > 0 ? read.step.assertions : step.assertions
    props.onChange({ ...read.step, assertions, takes: step.takes })
  }
  const complete = async () => {
    const url = step.url.trim()
    if (isCurl(url)) return fillIn(url)
    if (url === '') return
    const full = /^([a-z][a-z0-9+.-]*:|\$)/i.test(url) ? url : `https://${url}`
    if (full !== step.url) props.onChange({ ...step, url: full })
    // Only a URL with an @ can have a user.
    if (!full.includes('@')) return
    const split = (await loadReader()).withoutUserinfoOf({ ...step, url: full })
    if (split.url !== full) props.onChange(split)
  }
  return (
    <>
      <Group align="flex-start" gap="sm">
        <Select
          label="Method"
          data={METHODS}
          w={110}
          allowDeselect={false}
          value={step.method}
          onChange={(value) => value && props.onChange({ ...step, method: value as Step['method'] })}
        />
        <TextInput
          label="URL"
          description="Or paste a curl command"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/health"
          required
          flex={1}
          miw={220}
          data-autofocus={props.isFirst || undefined}
          value={step.url}
          error={pasted.problem ?? props.problem}
          onChange={(event) => change(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            if (!isCurl(text)) return
            event.preventDefault()
            void fillIn(text)
          }}
          onBlur={() => void complete()}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void complete()
            if (!isCurl(step.url)) props.onTest()
          }}
        />
        <Button
          mt={25}
          variant="default"
          leftSection={<Play size={15} aria-hidden />}
          loading={props.isTesting}
          onClick={props.onTest}
        >
          Test
        </Button>
      </Group>
      {pasted.notes.length > 0 && (
        <List size="sm" aria-label="Notes of the command">
          {pasted.notes.map((note) => (
            <List.Item key={note}>
              <Text size="sm">{note.charAt(0).toUpperCase() + note.slice(1)}</Text>
            </List.Item>
          ))}
        </List>
      )}
    </>
  )
}
