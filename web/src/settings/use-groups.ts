import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { createGroup, deleteGroup, type Group, updateGroup } from '../api/groups.ts'
import { offerUndo } from '../app/undo.ts'
import { showToast } from '../kit/toast.tsx'
import { words } from './words.ts'

/** A group as a form holds it. */
export interface GroupDraft {
  name: string
  externalId: string
  context: string
}

export function groupDraftOf(group: Group | null): GroupDraft {
  return { name: group?.name ?? '', externalId: group?.externalId ?? '', context: group?.context ?? '' }
}

/** Texts as the API takes them; the default group has no context. */
function fieldsOf({ name, externalId, context }: GroupDraft, isDefault: boolean) {
  return {
    name: name.trim(),
    externalId: externalId === '' ? null : externalId,
    ...(isDefault ? {} : { context: context.trim() === '' ? null : context.trim() }),
  }
}

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['groups'] })
}

/** Creates a group, or changes the one that is given, which can be undone. */
export function useGroupSave(group: Group | null, onSaved: () => void) {
  const client = useQueryClient()
  const isDefault = group?.isDefault ?? false
  return useMutation({
    mutationFn: (draft: GroupDraft) =>
      group === null ? createGroup(fieldsOf(draft, false)) : updateGroup(group.id, fieldsOf(draft, isDefault)),
    onSuccess: ({ name }) => {
      onSaved()
      if (group === null) showToast({ text: words.groupCreated(name), tone: 'positive' })
      else {
        const former = fieldsOf(groupDraftOf(group), isDefault)
        const revert = async () => {
          await updateGroup(group.id, former)
          await refresh(client)
        }
        offerUndo({ text: words.groupSaved(name), revert })
      }
      return refresh(client)
    },
  })
}

export function useGroupDeletion({ id, name }: Group, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => deleteGroup(id),
    onSuccess: () => {
      showToast({ text: words.groupDeleted(name) })
      onDeleted()
      void client.invalidateQueries({ queryKey: ['keywords'] })
      return refresh(client)
    },
  })
}
