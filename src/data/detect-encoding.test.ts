import { expect, test } from 'vitest';
import { detectEncoding } from './encoding.ts';

/** Bytes as hexadecimal digits. */
const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

test('encodings are detected by their bytes', () => {
  // 这个酒店的服务很好，下次还会来住。,
  expect(
    detectEncoding(
      bytes(
        'cec4b1be2cb1eac7a90ad5e2b8f6bec6b5eab5c4b7fecef1badcbac3a3accfc2b4cebbb9bbe1c0b4d7a1a1a32cbac30ab8f4d2f4badcb2eea3acc7b0cca8ccacb6c8b2bbbac32cb2ee0a',
      ),
    ),
  ).toBe('gb18030');
  // 这个酒店的服务很好，下次还会来住。,
  expect(
    detectEncoding(
      bytes(
        '87652c672c0007687e7b0a00d98f2a4e5291975e84760d67a152885f7d590cff0b4e216bd88f1a4f65674f4f02302c007d590a009496f397885fee5d0cff4d52f0530160a65e0d4e7d592c00ee5d0a00',
      ),
    ),
  ).toBe('utf-16le');
  // 这个酒店的服务很好，下次还会来住。,
  expect(
    detectEncoding(
      bytes(
        '6587672c002c68077b7e000a8fd94e2a91525e977684670d52a15f88597dff0c4e0b6b218fd84f1a67654f4f3002002c597d000a969497f35f885deeff0c524d53f060015ea64e0d597d002c5dee000a',
      ),
    ),
  ).toBe('utf-16be');
  // 這間飯店的服務很好，下次還會再來住。
  expect(
    detectEncoding(
      bytes(
        'a4e5a6722cbcd0c5d20ab36fb6a1b6baa9b1aabaaa41b0c8abdca66ea141a455a6b8c1d9b77ca641a8d3a6eda1432ca66e0ab96aadb5abdcae74a141c264c269ba41abd7a4a3a66e2cae740a',
      ),
    ),
  ).toBe('big5');
  // このホテルのサービスはとても良かった
  expect(
    detectEncoding(
      bytes(
        '967b95b62c83898378838b0a82b182cc837a8365838b82cc8354815b8372835882cd82c682c482e097c782a982c182bd82c582b781422c97c782a20a959489ae82aa8bb782ad82c4814195c782e0949682a22c88ab82a20a',
      ),
    ),
  ).toBe('shift_jis');
  // 이 호텔의 서비스는 정말 좋았습니
  expect(
    detectEncoding(
      bytes(
        'babbb9ae2cb6f3baa70ac0cc20c8a3c5dac0c720bcadbaf1bdbab4c220c1a4b8bb20c1c1bed2bdc0b4cfb4d92e2cc1c1c0bd0ab9e6c0cc20b3cab9ab20c0dbb0ed20bdc3b2f4b7afbffcbeeebfe42cb3aabbdd0a',
      ),
    ),
  ).toBe('euc-kr');
  // Das Frühstück war
  expect(
    detectEncoding(
      bytes(
        '746578742c6c6162656c0a446173204672fc687374fc636b20776172206bf673746c6963682c2066fc7220756e7320736368f66e209620847072696d61932c6775740a',
      ),
    ),
  ).toBe('windows-1252');
  // L'hôtel était très
  expect(
    detectEncoding(
      bytes('746578742c6c6162656c0a4c2768f474656c20e974616974207472e87320616772e961626c652c2064e9e7752c626f6e0a'),
    ),
  ).toBe('windows-1252');
});

test('plain text is UTF-8, also where its last character is cut', () => {
  const text = new TextEncoder().encode('größer');
  expect(detectEncoding(text)).toBe('utf-8');
  expect(detectEncoding(text.subarray(0, 3))).toBe('utf-8');
  expect(detectEncoding(new TextEncoder().encode('plain'))).toBe('utf-8');
});
