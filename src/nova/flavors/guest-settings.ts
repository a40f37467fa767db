// Settings of a guest that add nothing to the request, but in which a flavor and its image can contradict each other. Nova refuses such a pair before it
// searches for a host.
import { agreedFlag, agreedValue, agreedWord, badFlavor, flavorValue, imageValue, type Properties } from '../terms/properties.ts';

/** Of sockets, cores and threads, as in Nova. */
const mostOfAny = 65_536;
const usbModels = ['none', 'nec-xhci', 'qemu-xhci'];

/** Refuses INVALID_INPUT for contradictions of a flavor and its image. */
export function checkGuestSettings(vcpus: number, properties: Properties): void {
  agreedFlag(properties, 'hw:pmu');
  if (vcpus > 1) agreedFlag(properties, 'hw:vif_multiqueue_enabled');
  agreedWord(properties, 'hw:usb_model', usbModels);
  agreedValue(properties, 'hw:redirected_usb_ports');
  checkTopology(properties);
  checkSerialPorts(properties);
  checkPages(properties);
  for (const name of ['hw:numa_nodes', 'hw:numa_cpus', 'hw:numa_mem']) checkGivenOnce(properties, name);
}

/** An image may have a smaller topology than its flavor allows. */
function checkTopology(properties: Properties): void {
  for (const part of ['sockets', 'cores', 'threads']) {
    // An empty text is a number for serial ports, but not here.
    for (const name of [`hw:cpu_${part}`, `hw:cpu_max_${part}`])
      if (flavorValue(properties, name) === '') throw badFlavor(`${name} must be a whole number`);
    const [most, mostOfImage] = countsOf(properties, `hw:cpu_max_${part}`);
    const [, ofImage] = countsOf(properties, `hw:cpu_${part}`);
    const limit = mostOfImage || most || mostOfAny;
    if (most !== 0 && mostOfImage > most) throw badFlavor(`the image may have ${mostOfImage} ${part}, the flavor allows ${most}`);
    if (ofImage > limit) throw badFlavor(`the image has ${ofImage} ${part}, of at most ${limit}`);
  }
}

/** The numbers of the flavor and of the image, 0 without. Refuses a malformed one of the flavor; Nova keeps none of an image. */
function countsOf(properties: Properties, name: string): [flavor: number, image: number] {
  const given = flavorValue(properties, name) ?? '';
  if (given !== '' && !/^\s*[+-]?\d+\s*$/.test(given)) throw badFlavor(`${name} must be a whole number, is ${given}`);
  return [Number(given), Number(imageValue(properties, name) ?? 0)];
}

/** An image may have fewer serial ports than its flavor allows. */
function checkSerialPorts(properties: Properties): void {
  const [flavor, image] = countsOf(properties, 'hw:serial_port_count');
  if (flavor !== 0 && image > flavor) throw badFlavor(`the image has ${image} serial ports, the flavor allows ${flavor}`);
}

/** The flavor decides the page size, unless it leaves the choice to the image. Locked memory needs a page size. */
function checkPages(properties: Properties): void {
  const name = 'hw:mem_page_size';
  const [flavor, image] = [flavorValue(properties, name), imageValue(properties, name)];
  if (image && flavor !== 'any' && flavor !== 'large') throw badFlavor(`the image has ${name} ${image}, which the flavor does not allow`);
  const isLocked = agreedFlag(properties, 'hw:locked_memory');
  if (isLocked && !flavor) throw badFlavor(`hw:locked_memory needs ${name}`);
}

function checkGivenOnce({ flavor, image }: Properties, name: string): void {
  const property = name.replace(':', '_');
  const isIn = (given: Properties['flavor'], key: string) => Object.keys(given).some((each) => each === key || each.startsWith(`${key}.`));
  if (isIn(flavor, name) && isIn(image, property)) throw badFlavor(`${name} of the flavor forbids ${property} of the image`);
}
