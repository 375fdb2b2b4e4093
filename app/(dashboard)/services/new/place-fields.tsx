import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { NEW_PLACE, type NewServiceFields } from '#server/schemas/new-service/fields.ts'
import type { ServicePlaces } from '#server/schemas/new-service/places.ts'
import { projectOptions, workspaceOptions } from './place-values.ts'

/** Where the service lives. What does not exist yet is created with the service. */
export function PlaceFields({ form, places }: { form: UseFormReturnType<NewServiceFields>; places: ServicePlaces }) {
  const { workspaceId, projectId } = form.values
  const chooseWorkspace = (value: string | null) => {
    if (value === null) return
    form.setFieldValue('workspaceId', value)
    form.setFieldValue('projectId', projectOptions(places, value)[0]?.value ?? NEW_PLACE)
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Workspace"
        data={workspaceOptions(places)}
        value={workspaceId}
        onChange={chooseWorkspace}
        allowDeselect={false}
        searchable
      />
      <Select
        label="Project"
        data={projectOptions(places, workspaceId)}
        value={projectId}
        onChange={(value) => value !== null && form.setFieldValue('projectId', value)}
        error={form.errors.projectId}
        allowDeselect={false}
        searchable
      />
      {workspaceId === NEW_PLACE && (
        <TextInput label="Name of the workspace" autoComplete="off" required {...form.getInputProps('workspaceName')} />
      )}
      {projectId === NEW_PLACE && (
        <TextInput label="Name of the project" autoComplete="off" required {...form.getInputProps('projectName')} />
      )}
    </SimpleGrid>
  )
}
