import type { JSX } from 'preact';
import type { NamedFile } from '../protocol.ts';

/**
 * A button that opens a dialog for files or a folder. The input of the browser, whose label is in the language of the browser, is not
 * shown; it keeps the focus, so the keyboard works as with any file input.
 */
export function FileButton({
  title,
  folder = false,
  many = false,
  disabled = false,
  mark,
  onPick,
}: {
  title: string;
  folder?: boolean;
  many?: boolean;
  disabled?: boolean;
  /** A value for `data-files`. */
  mark: string;
  onPick: (files: readonly NamedFile[]) => void;
}): JSX.Element {
  return (
    <label class={disabled ? 'pick disabled' : 'pick'}>
      {title}
      <input
        type="file"
        class="hidden"
        multiple={many}
        disabled={disabled}
        {...(folder && { webkitdirectory: true })}
        data-files={mark}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          if (files.length > 0)
            onPick(files.map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
