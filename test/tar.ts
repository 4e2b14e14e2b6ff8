/** A member of a test archive; every field of its header can be set. */
export interface Member {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  /** The raw size field, instead of the size of the content. */
  readonly size?: string;
  readonly link?: string;
  readonly prefix?: string;
  readonly magic?: string;
  /** Whether the checksum of the header is wrong. */
  readonly badSum?: boolean;
}

/** Writes a tar archive of these members. */
export function tar(members: readonly Member[], end = true): Buffer {
  return Buffer.concat([...members.map(memberBytes), Buffer.alloc(end ? 1024 : 0)]);
}

function memberBytes(member: Member): Buffer {
  const content = Buffer.from(member.content ?? '');
  const header = Buffer.alloc(512);
  const put = (text: string, at: number, length: number) => header.write(text.slice(0, length), at, length, 'latin1');
  put(member.name, 0, 100);
  put('0000644\0', 100, 8);
  put(member.size ?? `${content.length.toString(8).padStart(11, '0')}\0`, 124, 12);
  put('14577777777\0', 136, 12);
  put('        ', 148, 8);
  put(member.type ?? '0', 156, 1);
  put(member.link ?? '', 157, 100);
  put(member.magic ?? 'ustar\x0000', 257, 8);
  put(member.prefix ?? '', 345, 155);
  const sum = header.reduce((total, byte) => total + byte, 0) + (member.badSum ? 1 : 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}
