import type { BindingScope } from '#server/schemas/scopes.ts'
import type { Found } from './search-select.tsx'

/** What a member picked: a resource, or the organization, with its name. */
export type PickedPlace<Type extends BindingScope = BindingScope> = {
  resourceType: Type
  resourceId: string
  name: string
}

/** Returns the place of an option of the finders of places. */
export function placeOf<Type extends BindingScope>({ value, label }: Found): PickedPlace<Type> {
  const [resourceType, resourceId] = value.split(' ') as [Type, string]
  return { resourceType, resourceId, name: label }
}
