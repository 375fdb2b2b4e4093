'use client'

import {
  Alert,
  Button,
  Checkbox,
  Code,
  FileButton,
  Group,
  List,
  Modal,
  ScrollArea,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Imported, importText } from '#server/language/script-import/import.ts'
import { IMPORT_MAX, ImportError, type ImportNote, REQUESTS_MAX } from '#server/language/script-import/request.ts'
import { type ImportedScript, toScript } from '#server/language/script-import/to-script.ts'
import { SCRIPT_MAX } from '#server/schemas/scripts/limits.ts'
import { CodeBlock } from '../../../../components/code-block.tsx'

type Props = { onInsert: (script: string) => void; onClose: () => void }

/**
 * Turns a curl command, a HAR file or an OpenAPI operation into a script. The text is read in the browser and sent
 * nowhere, because it often holds credentials.
 */
export function ImportDialog({ onInsert, onClose }: Props) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null)
  const { imported, problem } = useMemo(() => read(text), [text])
  // A single request is chosen. Of several, the reader chooses.
  const picked = chosen ?? new Set(imported?.choices.length === 1 ? [0] : [])
  const written = useMemo(() => write(imported, picked), [imported, picked])
  const change = (next: string) => {
    setText(next)
    setChosen(null)
  }
  return (
    <Modal opened onClose={onClose} title="Import requests" size="xl" centered>
      <Stack>
        <Textarea
          label="curl command, HAR file or OpenAPI document"
          description="Your browser reads it. It is not sent to the server."
          placeholder="curl https://example.com/health"
          autosize
          minRows={4}
          maxRows={10}
          maxLength={IMPORT_MAX}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          error={problem}
          data-autofocus
        />
        <Group>
          <FileButton accept=".har,.json,.yaml,.yml" onChange={async (file) => file && change(await file.text())}>
            {(button) => (
              <Button variant="default" size="compact-sm" {...button}>
                Choose a file
              </Button>
            )}
          </FileButton>
        </Group>
        {imported && imported.choices.length > 1 && (
          <Choices imported={imported} picked={picked} onChange={setChosen} />
        )}
        {written && <Written written={written} notes={[...(imported?.notes ?? []), ...written.notes]} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!written || written.script.length > SCRIPT_MAX}
            onClick={() => written && onInsert(written.script)}
          >
            Insert
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Choices(props: { imported: Imported; picked: ReadonlySet<number>; onChange: (picked: Set<number>) => void }) {
  const [search, setSearch] = useState('')
  const shown = props.imported.choices
    .map(({ label }, index) => ({ label, index }))
    .filter(({ label }) => label.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <Stack gap="xs">
      <TextInput
        label={`Requests in the ${props.imported.format} document`}
        placeholder="Search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={200} viewportProps={{ tabIndex: 0 }}>
        <Stack gap={4}>
          {shown.map(({ label, index }) => (
            <Checkbox
              key={index}
              size="sm"
              label={label}
              checked={props.picked.has(index)}
              disabled={!props.picked.has(index) && props.picked.size >= REQUESTS_MAX}
              styles={{ label: { overflowWrap: 'anywhere' } }}
              onChange={(event) => {
                const picked = new Set(props.picked)
                if (event.currentTarget.checked) picked.add(index)
                else picked.delete(index)
                props.onChange(picked)
              }}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  )
}

function Written(props: { written: ImportedScript; notes: ImportNote[] }) {
  const { script, suggestions } = props.written
  return (
    <Stack gap="xs">
      {suggestions.length > 0 && (
        <Alert variant="light" title="Create these variables in the service, credentials as secrets">
          <Text size="sm">Their values are not in the script, so that members who read it do not see them.</Text>
          <List size="sm">
            {suggestions.map(({ key, from, value }) => (
              <List.Item key={key}>
                <Code>$s.{key}</Code> with the value of {from}
                {value !== undefined && <CodeBlock text={value} label={`Value of ${key}`} />}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {props.notes.length > 0 && (
        <Alert variant="light" title="Not imported">
          <List size="sm">
            {props.notes.map(({ what, why, todo }) => (
              <List.Item key={`${what} ${why}`} style={{ overflowWrap: 'anywhere' }}>
                <b>{what}</b>: {why} {todo}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {script.length > SCRIPT_MAX && (
        <Text size="sm" c="red">
          The script is too long: {script.length.toLocaleString('en')} of {SCRIPT_MAX.toLocaleString('en')} characters.
        </Text>
      )}
      <CodeBlock text={script} label="Imported script" />
    </Stack>
  )
}

function read(text: string): { imported: Imported | null; problem: string | null } {
  if (text.trim() === '') return { imported: null, problem: null }
  try {
    return { imported: importText(text), problem: null }
  } catch (error) {
    const problem = error instanceof ImportError ? error.message : 'The text cannot be read. Check that it is complete.'
    return { imported: null, problem }
  }
}

function write(imported: Imported | null, picked: ReadonlySet<number>): ImportedScript | null {
  const requests = imported?.choices.filter((_, index) => picked.has(index)).map(({ request }) => request()) ?? []
  return requests.length > 0 ? toScript(requests) : null
}
