import { BlockList, isIP } from 'node:net';

// Addresses that are not on the public internet: the special-purpose registries of IANA (RFC 6890 and its successors).
const private4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
const private6 =
  '::/8 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/9 ff00::/8';

// One list per address family: in a common list, a rule for IPv4-mapped IPv6 addresses would match all of IPv4.
const blocked = { 4: listOf(private4, 'ipv4'), 6: listOf(private6, 'ipv6') };
const loopback = { 4: listOf('127.0.0.0/8', 'ipv4'), 6: listOf('::1/128', 'ipv6') };

function listOf(nets: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const net of nets.split(' ')) {
    const [address, bits] = net.split('/');
    list.addSubnet(address!, Number(bits), family);
  }
  return list;
}

function isIn(lists: typeof blocked, address: string): boolean {
  return isIP(address) === 6 ? lists[6].check(address, 'ipv6') : lists[4].check(address, 'ipv4');
}

/** Whether an address is on the public internet; IPv6 forms that embed an IPv4 address are not. */
export function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !isIn(blocked, address);
}

/** Whether an address is a loopback address. */
export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && isIn(loopback, address);
}

/** The IP address in the host part of a URL, without the brackets of IPv6; undefined for a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}
